/** The event types of the contract as a discriminated union. */
export * from "./gen/events.gen.js";
