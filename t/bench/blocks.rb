# SPDX-License-Identifier: MIT
# What Ruby programs are made of: blocks, strings, hashes, methods in C.
words = %w[the quick brown fox jumps over the lazy dog]
counts = Hash.new(0)
20_000.times do |n|
  words.each_with_index do |word, i|
    counts[word] += i
    counts[word.upcase] += n % 7
  end
  words.map { |word| word.length }.select(&:odd?).sort.each { |x| counts[x] += 1 }
  words.join(" ").gsub(/o\w/) { |found| found.capitalize }
end
