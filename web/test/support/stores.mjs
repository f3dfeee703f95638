// What every store has to keep, for any of them; also run inside a page, so it imports nothing.

/** A record as stores see it. */
export const recordOf = (check, members = {}) => ({
  key: "k", format: 1, session: "s1", tenant: "", scope: "", owner: "origin", epoch: 0, cursor: "s1:1", proof: "", state: '{"é":1}', check, ...members,
});

/** Runs the contract; answers what was found, name by name, with what it should be. */
export async function contract(store) {
  const found = [];
  const see = async (name, got, want) => found.push([name, JSON.stringify((await got) ?? null), JSON.stringify(want)]);
  await see("nothing is there at first", store.read("k"), null);
  await see("nothing can be replaced", store.write(recordOf("a"), "x"), false);
  await see("what is not there is written", store.write(recordOf("a"), undefined), true);
  await see("it comes back whole", store.read("k"), recordOf("a"));
  await see("it is not written over unseen", store.write(recordOf("b"), undefined), false);
  await see("nor for another one", store.write(recordOf("b"), "c"), false);
  await see("it is as it was", store.read("k"), recordOf("a"));
  await see("what was seen is replaced", store.write(recordOf("b", { epoch: 2 }), "a"), true);
  await see("the new one comes back", store.read("k"), recordOf("b", { epoch: 2 }));
  await see("another key is another record", store.write(recordOf("a", { key: "k2" }), undefined), true);
  await see("and leaves this one alone", store.read("k"), recordOf("b", { epoch: 2 }));
  const race = await Promise.all(["x", "y", "z"].map((check) => store.write(recordOf(check), "b")));
  await see("of many that saw the same one wins", race.filter(Boolean).length, 1);
  await see("and it is the one that is there", store.read("k"), recordOf(["x", "y", "z"][race.indexOf(true)]));
  return found;
}
