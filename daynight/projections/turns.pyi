from projections.turns import *
