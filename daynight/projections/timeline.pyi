from projections.timeline import *
