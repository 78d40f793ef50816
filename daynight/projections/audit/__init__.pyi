from projections.audit import *
