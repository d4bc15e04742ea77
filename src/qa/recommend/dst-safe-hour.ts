const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_AHEAD = 366;

/** The nearest hour that no clock change skips or repeats within a year; earlier hours first. */
export function dstSafeHour(hour: number, timezone: string, now: Date): number {
  const moved = changingHours(timezone, now);
  const candidates = [hour, hour - 1, hour + 1, hour - 2, hour + 2, hour + 3].filter((one) => one >= 0 && one < 24);
  return candidates.find((one) => !moved.has(one)) ?? hour;
}

/** Local hours that a clock change skips or repeats. */
function changingHours(timezone: string, now: Date): Set<number> {
  const wall = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  // Local time as if it were UTC; the difference is the offset of the zone.
  const wallAt = (at: number) => {
    const [day, month, year, hours, minutes, seconds] = wall.format(at).split(/\D+/).map(Number);
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hours, minutes, seconds);
  };
  const offsetAt = (at: number) => wallAt(at) - at;
  const moved = new Set<number>();
  const start = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  for (let day = start; day < start + DAYS_AHEAD * DAY_MS; day += DAY_MS) {
    if (offsetAt(day) === offsetAt(day + DAY_MS)) continue;
    const change = findClockChange(day, day + DAY_MS, offsetAt);
    // The hours between both sides are skipped or repeated.
    const sides = [change + offsetAt(change - MINUTE_MS), change + offsetAt(change)];
    for (let clock = Math.min(...sides); clock < Math.max(...sides); clock += MINUTE_MS)
      moved.add(new Date(clock).getUTCHours());
  }
  return moved;
}

/** The first minute with the later offset. */
function findClockChange(before: number, after: number, offsetAt: (at: number) => number): number {
  const later = offsetAt(after);
  let [low, high] = [before, after];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle) === later) high = middle;
    else low = middle;
  }
  return high;
}
