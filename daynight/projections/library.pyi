from projections.library import *
