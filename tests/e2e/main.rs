//! The real window: one user story a file.
