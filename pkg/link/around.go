package link

// Frame is what stood around the event or Aside that was handed out last: the name
// of its frame, "" for none, and the last id of the connection, as a browser shows
// them with a message. Both are valid until the next call of [Link.Next].
func (l *Link) Frame() (name, lastID []byte) { return l.frame.Event, l.decoder.LastEventID() }

// Data is the data of that frame, or of the frame of the protocol that was read last, valid
// as long.
func (l *Link) Data() []byte { return l.frame.Data }

// aside hands on what is no event, to whoever asked for frames.
func (l *Link) aside() {
	l.passage.handed = true
	if l.options.Frames {
		l.push(Aside, -1).Data = append([]byte(nil), l.frame.Data...)
	}
}
