from projections.audit.parted import *
