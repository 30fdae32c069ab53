// SPDX-License-Identifier: BSD-3-Clause
// Shows that in C++ the routines are overloaded by type, so that templates can use them. The program has an array that
// is distributed over the PEs (Spread), its dot product, and a shift by one place. They work for any type that has puts
// and sums.
#include <shmem.h>

#include <cstddef>
#include <cstdio>
#include <new>

template <typename T> class Spread {
  public:
    explicit Spread(std::size_t length) : length_(length), data_(static_cast<T *>(shmem_malloc(length * sizeof(T)))) {
        if (data_ == nullptr) throw std::bad_alloc();
    }
    ~Spread() {
        shmem_free(data_);
    }
    Spread(const Spread &) = delete;
    Spread &operator=(const Spread &) = delete;

    T &operator[](std::size_t i) {
        return data_[i];
    }
    std::size_t length() const {
        return length_;
    }
    T *data() {
        return data_;
    }

  private:
    std::size_t length_; // number of elements on each PE
    T *data_;
};

template <typename T> T dot(Spread<T> &one, Spread<T> &other) {
    Spread<T> sums(2);
    sums[0] = T(0);
    for (std::size_t i = 0; i < one.length(); i++) sums[0] = static_cast<T>(sums[0] + one[i] * other[i]);
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &sums[1], &sums[0], 1);
    return sums[1];
}

// Moves every element one place up. The last element of the whole array becomes the first.
template <typename T> void shift(Spread<T> &array, Spread<T> &shifted) {
    const int next = (shmem_my_pe() + 1) % shmem_n_pes();
    const std::size_t last = array.length() - 1;
    shmem_p(shifted.data(), array[last], next);
    shmem_put(shifted.data() + 1, array.data(), last, shmem_my_pe());
    shmem_barrier_all();
}

// Multiplies the array 0, 1, 2 ... n - 1 with itself shifted by one place: the result is the sum of i (i - 1).
template <typename T> bool is_right(const char *type) {
    Spread<T> array(4), shifted(4);
    const std::size_t first = static_cast<std::size_t>(shmem_my_pe()) * array.length();
    for (std::size_t i = 0; i < array.length(); i++) array[i] = static_cast<T>(first + i);
    shift(array, shifted);
    const T result = dot(array, shifted);
    const long n = 4L * shmem_n_pes();
    const bool right = result == static_cast<T>((n - 2) * (n - 1) * n / 3);
    if (shmem_my_pe() == 0)
        std::printf("overloads: %s: %.0f, %s\n", type, static_cast<double>(result), right ? "right" : "WRONG");
    return right;
}

int main() {
    shmem_init();
    const bool right =
        is_right<int>("int") && is_right<long>("long") && is_right<float>("float") && is_right<double>("double");
    shmem_finalize();
    return right ? 0 : 1;
}
