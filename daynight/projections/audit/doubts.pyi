from projections.audit.doubts import *
