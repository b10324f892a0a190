"""Small arrays on the stack of a compiled function: the compiler keeps their numbers in registers where it can."""

import functools
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype


@functools.cache
def local_array(count: int, floats: Any) -> Any:
    """A function without arguments that compiled code calls for an array of `count` numbers, not yet set."""
    kind = types.Array(from_dtype(floats), 1, "C")

    @intrinsic
    def local(typing_context):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            word, item = ir.IntType(64), context.get_data_type(kind.dtype)
            size = context.get_abi_sizeof(item)
            place = cgutils.alloca_once(builder, item, size=ir.Constant(word, max(count, 1)))
            array = context.make_array(kind)(context, builder)
            populate_array(
                array,
                data=place,
                shape=cgutils.pack_array(builder, (ir.Constant(word, count),), ty=word),
                strides=cgutils.pack_array(builder, (ir.Constant(word, size),), ty=word),
                itemsize=ir.Constant(word, size),
                meminfo=None,
            )
            return array._getvalue()

        return kind(), generate

    return local
