from projections.audit.audit import *
