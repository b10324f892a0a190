"""Model folders of Last_letter_2: four YAML files and a URDF, read into a vehicle folder of ours."""
