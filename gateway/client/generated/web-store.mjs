// Generated from gateway/client by `npm run generate`.
function o(e){return{async set(t,n){e.setItem(t,n)},async delete(t){e.removeItem(t)},async list(t){return Array.from({length:e.length},(r,m)=>e.key(m)??"").filter(r=>r.startsWith(t)).map(r=>({name:r,value:e.getItem(r)??""}))}}}export{o as createWebStore};
