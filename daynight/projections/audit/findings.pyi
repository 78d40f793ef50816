from projections.audit.findings import *
