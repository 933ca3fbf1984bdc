echo noise >&2
