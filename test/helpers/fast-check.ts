import fc from 'fast-check';

// Every run tries the same cases, so that what fails can be tried again. Other cases are for `npm run fuzz`.
fc.configureGlobal({ seed: 8402 });

export { fc };
