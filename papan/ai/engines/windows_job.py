"""Job objects of Windows: what is in one ends with it, and it ends with the process that holds it, however that ends.

On other systems there is nothing of the kind, and the functions here do nothing.
"""

from __future__ import annotations

import ctypes
import logging
import subprocess
import sys
from typing import Any

log = logging.getLogger(__name__)

CREATION_FLAGS = 0x08000200 if sys.platform == "win32" else 0
"""``CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP``."""

_KILL_ON_CLOSE = 0x2000
_EXTENDED_LIMITS = 9


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_time", ctypes.c_int64),
        ("per_job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("most_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def hold(process: subprocess.Popen[bytes]) -> Any:
    """A job that *process* is in; None where there are no jobs."""
    if sys.platform != "win32":
        return None
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = _ExtendedLimits()
    limits.basic.flags = _KILL_ON_CLOSE
    handle = ctypes.c_void_p(int(vars(process)["_handle"]))  # there is no public name
    if not (
        kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
        and kernel.AssignProcessToJobObject(job, handle)
    ):
        log.warning("A program can't be put into a job: error %s", ctypes.get_last_error())
    return job


def end(job: Any) -> None:
    """End all that is in *job*."""
    if sys.platform == "win32" and job is not None:
        ctypes.WinDLL("kernel32").TerminateJobObject(job, 1)
