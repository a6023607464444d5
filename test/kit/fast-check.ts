import fc from 'fast-check';

// Every run tries the same cases, so that failures can be repeated. `npm run fuzz` tries other cases.
fc.configureGlobal({ seed: 8402 });

export { fc };
