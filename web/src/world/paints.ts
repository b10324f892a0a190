// Textures of the model, as three.js wants them.

import * as THREE from "three";

import type { Geom, Scene } from "../messages";

const CLEAR = 8;

export class Paints {
  private readonly made = new Map<number, THREE.Texture>();

  constructor(private readonly scene: Scene) {}

  /** The texture of a shape, laid as its material says; null where it has none. Sides of cubes show the first one. */
  of(geom: Geom): THREE.Texture | null {
    const material = this.scene.materials[geom.material];
    const texture = material && this.scene.textures[material.texture];
    if (!texture || texture.kind === "skybox") return null;
    const known = this.made.get(geom.material);
    if (known) return known;
    const laid = new THREE.Texture();
    laid.wrapS = laid.wrapT = THREE.RepeatWrapping;
    laid.colorSpace = THREE.SRGBColorSpace;
    laid.anisotropy = CLEAR;
    picture(texture.png, (image) => {
      laid.image = texture.kind === "cube" ? side(image, 0) : image;
      laid.needsUpdate = true;
    });
    this.made.set(geom.material, laid);
    return laid;
  }

  /** How often [1, or 1/m] it is laid along x and y of a shape. */
  repeat(geom: Geom): { x: number; y: number; perMetre: boolean } {
    const material = this.scene.materials[geom.material];
    return { x: material?.repeat[0] ?? 1, y: material?.repeat[1] ?? 1, perMetre: material?.uniform ?? false };
  }

  /** The sky of the model, when it has one and it is there. */
  sky(then: (sky: THREE.CubeTexture) => void): void {
    const texture = this.scene.textures.find(({ kind }) => kind === "skybox");
    if (!texture) return;
    picture(texture.png, (image) => {
      const sky = new THREE.CubeTexture([0, 1, 2, 3, 4, 5].map((k) => side(image, k)));
      sky.colorSpace = THREE.SRGBColorSpace;
      sky.needsUpdate = true;
      then(sky);
    });
  }

  discard(): void {
    for (const texture of this.made.values()) texture.dispose();
  }
}

function picture(png: string, then: (image: HTMLImageElement) => void): void {
  const image = new Image();
  image.onload = () => then(image);
  image.src = `data:image/png;base64,${png}`;
}

/** One of six squares, one below the other. */
function side(image: HTMLImageElement, k: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const edge = (canvas.width = canvas.height = image.width);
  const from = Math.min(k * edge, image.height - edge);
  canvas.getContext("2d")!.drawImage(image, 0, from, edge, edge, 0, 0, edge, edge);
  return canvas;
}
