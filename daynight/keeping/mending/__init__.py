"""Makes corrections of a record, which delete no event, and events for unrecorded turns, from what people remember."""
