/** Why an exchange accepts no new order in a pair: it accepts only cancels, or trading is halted. */
export type Suspension = 'cancel_only' | 'halted';

/** The last known suspension of a pair, absent while the pair trades. `unread`: the exchange has not answered yet. */
export type KnownSuspension = Suspension | 'unread';
