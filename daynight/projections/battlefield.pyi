from projections.battlefield import *
