from projections.reversals import *
