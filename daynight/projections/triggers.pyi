from projections.triggers import *
