"""From a Python function to the JSON schema of a tool."""
def get_json_schema(function): raise NotImplementedError
