"""Check cases of the NASA Engineering and Safety Center."""
