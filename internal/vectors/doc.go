// Package vectors runs vector files: inputs with the outcome that every
// implementation has to give, in JSON, as docs/vectors.md describes them.
//
// [Run] takes files and folders, runs every vector in them, prints those that
// fail and answers how many passed, failed and were skipped. What can go through
// the seam of package abi does, so that the very calls of the module are tested;
// the pipeline drives a real link in memory and in virtual time.
//
// Only members that an expectation has are compared. A key that no kind knows
// fails its vector, because what nobody reads tests nothing; for the same reason
// a path without vectors and an expectation without members fail. Kinds that are
// not built are skipped, and never count as passed.
package vectors
