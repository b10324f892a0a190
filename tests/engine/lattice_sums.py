"""A vortex lattice written out, one ring at a time, to compare with."""

import math

import numpy as np


def lattice_by_sums(surfaces, flow, density):
    """Force on each surface [N]: rings and horseshoes written out, one at a time; `flow` [m/s] of all, or of each."""
    rings, points, normals, owner, onset = [], [], [], [], []
    for k, (c, past_wing) in enumerate(zip(surfaces, np.broadcast_to(flow, (len(surfaces), 3)), strict=True)):
        nodes = np.concatenate([0.75 * c[:-1] + 0.25 * c[1:], c[-1:] + 0.25 * (c[-1:] - c[-2:-1])])
        for i in range(c.shape[0] - 1):
            for j in range(c.shape[1] - 1):
                loop = [nodes[i, j + 1], nodes[i, j], nodes[i + 1, j], nodes[i + 1, j + 1]]
                last = i == c.shape[0] - 2
                if last:
                    far = 1e4 * past_wing / np.linalg.norm(past_wing)
                    loop = [*loop[:3], loop[2] + far, loop[3] + far, loop[3]]
                rings.append((loop, last, c[-1, j], c[-1, j + 1]))
                points.append(0.125 * (c[i, j] + c[i, j + 1]) + 0.375 * (c[i + 1, j] + c[i + 1, j + 1]))
                normal = np.cross(c[i, j + 1] - c[i + 1, j], c[i + 1, j + 1] - c[i, j])
                normals.append(normal / np.linalg.norm(normal))
                owner.append(k)
                onset.append(past_wing)
    square = np.array(normals)
    flows = [ring_flow(loop, np.array(points)) for loop, *_ in rings]
    matrix = np.stack([(flow_of * square).sum(1) for flow_of in flows], axis=1)
    gamma = np.linalg.solve(matrix, -(square * onset).sum(1))
    force = [np.zeros(3) for _ in surfaces]
    for k, g, past_wing, (loop, last, right, left) in zip(owner, gamma, onset, rings, strict=True):
        legs = [(loop[0], loop[1]), (loop[1], loop[2]), (loop[2], loop[3]), (loop[3], loop[0])]
        if last:  # of its legs along the chord what lies ahead of the trailing edge
            legs = [legs[0], (loop[1], right), (left, loop[0])]
        middles = np.array([0.5 * (a + b) for a, b in legs])
        air = past_wing + sum(h * ring_flow(other, middles) for h, (other, *_) in zip(gamma, rings, strict=True))
        for (a, b), past in zip(legs, air, strict=True):
            force[k] += density * g * np.cross(past, b - a)
    return force


def ring_flow(loop, points):
    """Velocity at points of a ring of unit circulation, by Biot and Savart."""
    total = np.zeros_like(points)
    for a, b in zip(loop, [*loop[1:], loop[0]], strict=True):
        p, q = points - a, points - b
        c, size = np.cross(p, q), b - a
        square = (c**2).sum(1)
        along = (size * (p / np.linalg.norm(p, axis=1)[:, None] - q / np.linalg.norm(q, axis=1)[:, None])).sum(1)
        near = square < 1e-12 * (size @ size)
        total += np.where(near, 0.0, along / np.where(near, 1.0, square))[:, None] * c / (4.0 * math.pi)
    return total
