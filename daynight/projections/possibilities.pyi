from projections.possibilities import *
