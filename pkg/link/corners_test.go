package link_test

import "strings"

// corners are scripts that lead where no story does, one in a line, with commands of
// stories between semicolons. Their traces are not kept; see states_test.go.
var corners = strings.Split(strings.ReplaceAll(strings.TrimSpace(cornerLines), "; ", "\n"), "\n\n")

// Of two sessions one loads while the other is asked for, where a line begins with it.
const (
	oneLoads     = "new cursor=s1:2 cursor=s2:5 load credentials; start; opened; head s1:1; "
	asked        = "new cursor=s1:2 credentials; start; "
	lost         = asked + "closed broken; "
	away         = "new cursor=s1:2; offline; start; "
	unauthorized = asked + "opened 401; "
	doubted      = asked + "opened; event s1:9; opened; "
	single       = "new cursor=s1:2 cursor=s2:5 single load credentials; start; "
	loading      = "new cursor=s1:3 load; start; opened 410; "
	twoLoads     = "new session=s1 session=s2 load; "
)

const cornerLines = `
new cursor=s1:2; online; applied 0 9

new cursor=s1:2; reset 0 s2:1

` + loading + `offline; online; applied 0 0; applied 0 9

` + loading + `reset 7 s1:1

` + loading + `offline; reset 0 s1:9

` + twoLoads + `start; reset 0 s1:4

` + twoLoads + `start; loadfailed 0 why

` + twoLoads + `offline; start; loaded 1 s2:3; loadfailed 0 why

` + asked + `tick; visible; online; reset 0 s1:4; loadfailed 0 why; offline; opened 503

` + asked + `offline; wait 45000; tick

` + asked + `offline; wait 45000; visible

` + asked + `opened; bytes retry: 5000\n\n; closed broken; wait 10000; tick; wait 45000; visible

` + asked + `loaded 7 s1:1

` + asked + `loadfailed 7 why

` + asked + `reset 0 s2:1

` + asked + `offline; reset 0 s1:4

` + asked + `opened; loaded 0 s1:9; loadfailed 0 why; loaded 7 s1:9

` + asked + `opened; loadfailed 7 why

` + asked + `opened; offline; reset 0 s1:4

` + asked + `opened; offline; event s1:9

` + asked + `opened; offline; wait 45000; tick

` + asked + `opened; offline; wait 45000; visible

` + asked + `opened; bytes retry: 5000\n\n; wait 45000; visible

` + asked + `opened; live s1:2; head s1:2

` + oneLoads + `offline; loaded 0 s1:9

` + oneLoads + `reset 1 s9:1

` + oneLoads + `closed; tick; opened; closed

` + oneLoads + `closed broken; tick; offline; loaded 0 s1:9

` + oneLoads + `closed broken; tick; reset 1 s9:1

` + oneLoads + `closed broken; reset 1 s9:1

` + oneLoads + `offline; closed broken; reset 1 s9:1

` + oneLoads + `closed broken; tick; opened 401; reset 1 s9:1; credentials

` + asked + `opened 503 retry-after=5000; online; applied 0 0; loaded 0 s1:9; loadfailed 0 why; stop

` + lost + `online

` + lost + `reset 0 s2:1

` + lost + `applied 0 9

` + lost + `loaded 7 s1:9

` + lost + `loadfailed 7 why

` + away + `applied 0 0; loadfailed 0 why; reset 0 s1:4; stop

` + away + `applied 0 9

` + away + `loaded 7 s1:9

` + away + `loadfailed 7 why

` + away + `reset 0 s2:1

` + unauthorized + `applied 0 0; loadfailed 0 why; stop

` + unauthorized + `applied 0 9

` + unauthorized + `loaded 7 s1:9

` + unauthorized + `loadfailed 7 why

` + unauthorized + `reset 0 s2:1

` + asked + `opened; head s1:2; head s1:3; live s1:2; opened; head s1:2; live s1:2; live s1:2

` + doubted + `reset 0 s1:4

` + doubted + `live s1:2

` + doubted + `stop

` + doubted + `bytes data: {"type":"m","sessionId":"s1","seq":3}\n\ndata: {"type":"m","sessionId":"s1","seq":9}\n\n

new cursor=s1:2 load; start; opened; event s1:9; opened; event s1:9

` + single + `closed broken

` + single + `opened; closed broken

` + single + `wait 45000; tick

` + single + `opened; wait 45000; tick

` + single + `wait 45000; visible

` + single + `opened; wait 45000; visible

` + single + `opened; reset 0 s1:3

` + single + `opened 401; credentials

` + single + `opened 401; offline; credentials; online

` + single + `offline; closed broken; online

` + single + `reset 0 s1:3

` + single + `opened; head s1:1; loaded 0 s1:1

` + single + `opened; head s1:1; head s2:1; loaded 0 s1:1

` + single + `opened; head s1:1; head s2:1; reset 0 s1:1

` + single + `opened; head s1:1; head s2:1; loadfailed 0 why
`
