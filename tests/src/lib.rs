//! Tests of the whole platform; see the folders beside this one.
