export interface TestClock {
  now: () => Date;
  advance: (amount: { seconds?: number; minutes?: number; hours?: number; days?: number }) => void;
}

/** A clock that begins at `start` and stands still until advanced; without `start`, the real one, advanced on top. */
export function testClock(start?: Date): TestClock {
  let ahead = 0;
  return {
    now: () => new Date((start?.getTime() ?? Date.now()) + ahead),
    advance: ({ seconds = 0, minutes = 0, hours = 0, days = 0 }) => {
      ahead += 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    },
  };
}
