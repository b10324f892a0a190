"""Controllers that ship. A scenario names one by a key of this dictionary, or `file.py:Class` for one of your own."""

CONTROLLERS = {
    "idle": "cupola.control.idle:Idle",
    "pass_through": "cupola.control.pass_through:PassThrough",
    "quadcopter_pd": "cupola.control.quadcopter_pd:QuadcopterPD",
    "hexacopter_pd": "cupola.control.hexacopter_pd:HexacopterPD",
    "multirotor_waypoints": "cupola.control.multirotor_waypoints:MultirotorWaypoints",
    "multirotor_geometric": "cupola.control.multirotor_geometric:MultirotorGeometric",
    "multirotor_velocity": "cupola.control.multirotor_velocity:MultirotorVelocity",
    "avoider": "cupola.control.avoider:Avoider",
    "mecanum_drive": "cupola.control.mecanum_drive:MecanumDrive",
    "mecanum_route": "cupola.control.mecanum_route:MecanumRoute",
    "mecanum_wheels": "cupola.control.mecanum_wheels:MecanumWheels",
    "cessna_presets": "cupola.control.cessna_presets:CessnaPresets",
    "plane_hold": "cupola.control.plane_hold:PlaneHold",
    "plane_waypoints": "cupola.control.plane_waypoints:PlaneWaypoints",
    "morphing_waypoints": "cupola.control.morphing_waypoints:MorphingWaypoints",
    "stroke": "cupola.control.stroke:Stroke",
    "vtol_velocity": "cupola.control.vtol_velocity:VtolVelocity",
    "vtol_waypoints": "cupola.control.vtol_waypoints:VtolWaypoints",
    "quadcopter_waypoints": "cupola.control.quadcopter_waypoints:QuadcopterWaypoints",
}
