from projections.audit.resting import *
