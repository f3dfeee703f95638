{
  "name": "responses",
  "members": {
    "seq": "sequence_number",
    "session": "",
    "turn": "",
    "generation": ""
  },
  "base": 0,
  "scope": "connection",
  "terminal": [
    "response.completed",
    "response.failed",
    "response.incomplete"
  ]
}
