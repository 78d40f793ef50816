"""Reports: their content, and that hostile records can't change their structure."""
