// Command empty does nothing. Built with the flags of our modules it is the
// floor that `make size` measures them against.
package main

func main() {}
