from projections.transcript import *
