"""The beginning of a small JSBSim aircraft: its metrics and its mass."""

BODY = """<?xml version="1.0"?><fdm_config name="toy" version="2.0" release="ALPHA"><fileheader/>
<metrics><wingarea unit="M2">2</wingarea><wingspan unit="M">4</wingspan><chord unit="M">0.5</chord>
<location name="AERORP" unit="M"><x>1</x><y>0</y><z>0.2</z></location>
<location name="EYEPOINT" unit="M"><x>1</x><y>0</y><z>0</z></location>
<location name="VRP" unit="M"><x>0</x><y>0</y><z>0</z></location></metrics>
<mass_balance><ixx unit="KG*M2">3</ixx><iyy unit="KG*M2">4</iyy><izz unit="KG*M2">5</izz>
<emptywt unit="KG">8</emptywt><location name="CG" unit="M"><x>1</x><y>0</y><z>0</z></location></mass_balance>
"""
