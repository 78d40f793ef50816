from projections.tallies import *
