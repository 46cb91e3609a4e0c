/** Stamps the events of one bot so that their times never decrease, also when the clock of the machine is set back. */
export interface EventClock {
  /** Returns the time for an event that arrives now, in ms. */
  stamp(): number;
  /** Returns an event that has a time already, moved to the latest time when it is older. */
  inOrder<Event extends { readonly at: number }>(event: Event): Event;
}

export function createEventClock(now: () => number): EventClock {
  let latest = 0;
  return {
    stamp() {
      latest = Math.max(latest, now());
      return latest;
    },
    inOrder(event) {
      if (event.at < latest) return { ...event, at: latest };
      latest = event.at;
      return event;
    },
  };
}
