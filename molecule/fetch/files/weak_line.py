#!/usr/bin/python3
"""A weak line to a registry: forwards a port, slowly, and hangs up where it is told to.

weak_line.py PORT TARGET_PORT BYTES_PER_SECOND [HANG_UP_AFTER_BYTES] [END_AFTER_SECONDS]
"""

from __future__ import annotations

import asyncio
import sys
import time

_PIECE = 16384


class Line:
    """What all connections share: the speed, and what may still come through."""

    def __init__(self, speed: int, allowed: int | None) -> None:
        """Begin with a line on which nothing has gone yet."""
        self.speed = speed
        self.left = allowed
        self.free_at = time.monotonic()

    async def carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, slow: bool) -> None:
        """Forward one direction to its end."""
        try:
            while piece := await source.read(_PIECE):
                if slow and not await self._wait(len(piece)):
                    break
                sink.write(piece)
                await sink.drain()
        except ConnectionError:
            pass
        finally:
            sink.close()

    async def _wait(self, size: int) -> bool:
        """Wait for the turn of these bytes; whether they may go at all."""
        self.free_at = max(self.free_at, time.monotonic()) + size / self.speed
        await asyncio.sleep(max(0.0, self.free_at - time.monotonic()))
        if self.left is None:
            return True
        self.left -= size
        return self.left > 0


async def main(port: int, target: int, speed: int, allowed: int = 0, seconds: int = 300) -> None:
    """Serve until the time is over."""
    line = Line(speed, allowed or None)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(
            line.carry(reader, there_writer, slow=False), line.carry(there_reader, writer, slow=True)
        )

    async with await asyncio.start_server(connected, "0.0.0.0", port):
        await asyncio.sleep(seconds)


if __name__ == "__main__":
    asyncio.run(main(*(int(text) for text in sys.argv[1:])))
