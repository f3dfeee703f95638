module github.com/tidemark-stream/tidemark

go 1.26
