"""The live page: a server in a process of its own shows the world and brings back what people do. Source in `web/`."""
