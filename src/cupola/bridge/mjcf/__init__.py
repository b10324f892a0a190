"""MuJoCo models made elsewhere, as those of MuJoCo Menagerie, read into a vehicle folder of ours."""
