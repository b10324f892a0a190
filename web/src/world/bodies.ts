// The links of all vehicles and the things around them, drawn where the frame says.

import * as THREE from "three";

import type { Geom, Scene } from "../messages";
import type { Paints } from "./paints";
import { Propellers } from "./propellers";
import { isGround, merge, shape } from "./shapes";
import { Surfaces } from "./surfaces";

const OPAQUE = 0.99;
const COAT = { roughness: 0.5, metalness: 0.1 };
/** [m]: boxes that nobody dropped yet wait farther away than this. */
const AWAY = 1e5;

export class Bodies {
  readonly root = new THREE.Group();
  /** One per body; its children lie in the body's frame. */
  readonly links: THREE.Group[] = [];
  /** What can be pointed at; `userData.body` tells whose it is. */
  readonly solids: THREE.Mesh[] = [];
  /** Those of the world itself: walls, hills, obstacles. */
  readonly standing: THREE.Mesh[] = [];
  readonly propellers: Propellers;
  readonly surfaces: Surfaces;
  /** Half the extent [m] of each vehicle about its root. */
  readonly radii: number[];
  private readonly collision = new THREE.MeshBasicMaterial({
    color: "#f97316",
    wireframe: true,
    transparent: true,
    opacity: 0.55,
  });
  private readonly shells: THREE.Mesh[] = [];

  constructor(
    readonly scene: Scene,
    private readonly paints: Paints,
    private readonly modest = false,
    row: (signal: string) => number = () => -1,
  ) {
    for (let body = 0; body < scene.bodies.length; body++) this.links.push(this.makeLink(body));
    this.propellers = new Propellers(scene, this.links);
    this.surfaces = new Surfaces(scene, this.links, () => this.coat({}), row);
    this.solids.push(...this.surfaces.solids);
    this.radii = scene.vehicles.map((_, k) => this.radius(k));
  }

  place(poses: Float64Array): void {
    for (let body = 0; body < this.links.length; body++) {
      const link = this.links[body]!;
      const at = 7 * body;
      link.visible = Math.abs(poses[at]!) < AWAY;
      link.position.set(poses[at]!, poses[at + 1]!, poses[at + 2]);
      link.quaternion.set(poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, poses[at + 3]!);
      link.updateMatrix();
      link.matrixWorldNeedsUpdate = true;
    }
  }

  /** Wire frames of what touches. */
  set collisionVisible(on: boolean) {
    if (on && !this.shells.length) this.makeShells();
    for (const shell of this.shells) shell.visible = on;
  }

  set solidsVisible(on: boolean) {
    for (const solid of this.solids) solid.visible = on;
    this.propellers.visible = on;
  }

  private makeLink(body: number): THREE.Group {
    const link = new THREE.Group();
    link.matrixAutoUpdate = false;
    const turning = new Set(this.scene.surfaces.map(({ geom }) => this.scene.geoms[geom]));
    const drawn = this.scene.geoms.filter(
      (g) =>
        g.body === body && g.visible && !isGround(g) && !turning.has(g) && !Propellers.turns(g, this.scene),
    );
    const plain = drawn.filter((g) => !this.paints.of(g));
    this.addSolid(
      link,
      body,
      plain.filter((g) => g.rgba[3] >= OPAQUE),
      1,
    );
    for (const geom of plain) if (geom.rgba[3] < OPAQUE) this.addSolid(link, body, [geom], geom.rgba[3]);
    for (const geom of drawn) if (!plain.includes(geom)) this.addTextured(link, body, geom);
    this.root.add(link);
    return link;
  }

  private addSolid(link: THREE.Group, body: number, geoms: Geom[], opacity: number): void {
    const geometry = merge(geoms, this.scene);
    if (!geometry) return;
    this.add(link, body, geometry, this.coat({}), opacity);
  }

  /** A shape with a texture is drawn on its own; its colour tints it. */
  private addTextured(link: THREE.Group, body: number, geom: Geom): void {
    const geometry = shape(geom, this.scene, true);
    const map = this.paints.of(geom);
    const uv = geometry?.getAttribute("uv");
    if (!geometry || !map) return;
    if (uv) {
      const { x, y, perMetre } = this.paints.repeat(geom);
      const [along, across] = perMetre ? [2 * (geom.size[0] || 1), 2 * (geom.size[1] || 1)] : [1, 1];
      for (let k = 0; k < uv.count; k++) uv.setXY(k, uv.getX(k) * x * along, uv.getY(k) * y * across);
    }
    this.add(link, body, geometry, this.coat({ map: uv ? map : null }), geom.rgba[3]);
  }

  /** What a surface is made of: without a graphics card, without the gloss. */
  private coat(more: { map?: THREE.Texture | null }): THREE.Material {
    const plain = { vertexColors: true, ...more };
    return this.modest
      ? new THREE.MeshLambertMaterial(plain)
      : new THREE.MeshStandardMaterial({ ...plain, ...COAT });
  }

  private add(
    link: THREE.Group,
    body: number,
    geometry: THREE.BufferGeometry,
    material: THREE.Material,
    opacity: number,
  ): void {
    if (opacity < OPAQUE) Object.assign(material, { transparent: true, opacity, depthWrite: false });
    const solid = new THREE.Mesh(geometry, material);
    solid.castShadow = opacity > 0.5;
    solid.receiveShadow = true;
    solid.userData.body = body;
    this.solids.push(solid);
    if (body === 0) this.standing.push(solid);
    link.add(solid);
  }

  private makeShells(): void {
    this.links.forEach((link, body) => {
      const geometry = merge(
        this.scene.geoms.filter((g) => g.body === body && g.collides && !isGround(g)),
        this.scene,
      );
      if (!geometry) return;
      const shell = new THREE.Mesh(geometry, this.collision);
      this.shells.push(shell);
      link.add(shell);
    });
  }

  private radius(vehicle: number): number {
    const box = new THREE.Box3();
    this.links.forEach((link, body) => {
      if (this.scene.bodies[body]!.vehicle !== vehicle) return;
      for (const child of link.children) {
        if (!(child instanceof THREE.Mesh)) continue;
        const { geometry } = child as THREE.Mesh;
        geometry.computeBoundingBox();
        if (geometry.boundingBox) box.union(geometry.boundingBox);
      }
    });
    return box.isEmpty() ? 0.5 : Math.max(0.05, 0.5 * box.getSize(new THREE.Vector3()).length());
  }
}
