module github.com/tidemark-stream/tidemark

go 1.26

require (
	github.com/norunners/vert v0.0.0-20221203075838-106a353d42dd
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/stretchr/testify v1.12.1
	github.com/syumai/workers v0.32.0
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/text v0.14.0 // indirect
)
