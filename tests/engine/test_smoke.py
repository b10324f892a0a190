import cupola


def test_the_default_scenario_flies_its_square_and_lands():
    world = cupola.load("square")
    world.run()
    end = world.motion()
    assert abs(end.pos_w.x) < 0.3 and abs(end.pos_w.y) < 0.3 and end.pos_w.z < 0.05
