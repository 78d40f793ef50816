from projections.course import *
