"""Pictures of a model by OpenGL, on a graphics card or without one. Reads the model and nothing else of a world.

A picture is a pure function of the coordinates and of the camera: the kinematics run on data of their own, and nothing
of the picture before remains. The libraries are opened when somebody asks for the first picture, not before.
"""

import ctypes
import importlib
import os
import sys
from typing import Any, Protocol

import mujoco
import numpy as np

from cupola.schema.yaml_files import InputError

LIBRARIES = {"egl": "libEGL.so.1", "osmesa": "libOSMesa.so.8"}
"""Renderers without a screen, in order of preference: EGL uses a graphics card if there is one."""
PACKAGES = "libegl1 libopengl0 libgl1-mesa-dri"
"""Debian packages that draw without a graphics card."""
MOST_GEOMS = 10_000
"""Shapes in one picture, or as many as the model has."""
SKY = 0.7
"""MuJoCo draws the sky as a ball of this part of the far plane's distance: behind it nothing is seen."""
UNSEEN = (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION, mujoco.mjtRndFlag.mjRND_HAZE)
"""Effects that depend on the size of the scene, or cost as much as the picture itself."""


class Lens(Protocol):
    """A part that takes pictures, as far as they are drawn here."""

    width_px: int
    height_px: int
    near: float
    far: float
    """[m] limits of the visible range."""

    def intrinsics(self) -> Any:
        """Its pinhole: `focal` [px]."""


class Renderer:
    """Draws one model, for all cameras of a world."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._opened = False

    def open(self) -> None:
        """Open the renderer; an InputError names what this machine lacks."""
        if self._opened:
            return
        glob = self._model.vis.global_
        try:
            self._screen = _context(glob.offwidth, glob.offheight)
            with self._screen.as_current():
                self._painter = mujoco.MjrContext(self._model, mujoco.mjtFontScale.mjFONTSCALE_50)
                mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._painter)
        except Exception as error:  # every library that is missing or too old has an exception of its own
            raise InputError(
                f"pictures of a camera need OpenGL libraries that this machine lacks: apt-get install {PACKAGES}, "
                f"or fly without them (`record: {{pictures: none}}` in the scenario); it said: {_first_line(error)}"
            ) from error
        self._data = mujoco.MjData(self._model)
        self._scene = mujoco.MjvScene(self._model, max(MOST_GEOMS, self._model.ngeom))
        for flag in UNSEEN:
            self._scene.flags[flag] = 0
        self._option, self._nobody = mujoco.MjvOption(), mujoco.MjvPerturb()
        self._option.sitegroup[:] = 0
        self._opened = True

    def draw(self, coordinates: Any, site: int, camera: Lens) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """What `camera` sees along z of `site` while the model is at `coordinates`: (height, width, 3)."""
        self.open()
        self._place(coordinates)
        self._aim(site, camera)
        self._scene.ngeom = 0
        mujoco.mjv_addGeoms(
            self._model, self._data, self._option, self._nobody, mujoco.mjtCatBit.mjCAT_ALL, self._scene
        )
        mujoco.mjv_makeLights(self._model, self._data, self._scene)
        pixels = np.empty((camera.height_px, camera.width_px, 3), np.uint8)
        frame = mujoco.MjrRect(0, 0, camera.width_px, camera.height_px)
        with self._screen.as_current():
            mujoco.mjr_render(frame, self._scene, self._painter)
            mujoco.mjr_readPixels(pixels, None, frame, self._painter)
        return np.ascontiguousarray(pixels[::-1])  # OpenGL begins at the lower left corner

    def _place(self, coordinates: Any) -> None:
        self._data.qpos[:] = coordinates
        for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_camlight, mujoco.mj_flex, mujoco.mj_tendon):
            stage(self._model, self._data)

    def _aim(self, site: int, camera: Lens) -> None:
        """Both eyes of the scene are one: MuJoCo draws their mean."""
        axes = self._data.site_xmat[site].reshape(3, 3)
        top = camera.near * 0.5 * camera.height_px / camera.intrinsics().focal
        for eye in self._scene.camera:
            eye.pos[:], eye.forward[:], eye.up[:] = self._data.site_xpos[site], axes[:, 2], -axes[:, 1]
            eye.frustum_center = eye.frustum_width = 0.0  # the width follows from the pixels, which are square
            eye.frustum_bottom, eye.frustum_top = -top, top
            eye.frustum_near, eye.frustum_far = camera.near, camera.far / SKY


def _context(width: int, height: int) -> Any:
    """A rendering context: that of `MUJOCO_GL`, else what is installed."""
    wanted = os.environ.get("MUJOCO_GL", "").lower()
    if sys.platform == "linux" and wanted in ("", *LIBRARIES):
        wanted = wanted or next((name for name, library in LIBRARIES.items() if _is_there(library)), "")
        if not wanted:
            raise OSError(f"neither {' nor '.join(LIBRARIES.values())} is there")
    else:
        wanted = "gl_context"
    return importlib.import_module(f"mujoco.{wanted}").GLContext(width, height)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].partition(". ")[0] or type(error).__name__


def _is_there(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
