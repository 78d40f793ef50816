"""Makes corrections of a record, and events for unrecorded turns. No event is deleted or invented."""
